ALTER TABLE `messages` ADD `bcc_addresses` text;--> statement-breakpoint
CREATE INDEX `messages_bcc` ON `messages` (`tenant_id`,`ticket_id`,`id`) WHERE "messages"."bcc_addresses" is not null;--> statement-breakpoint
ALTER TABLE `reply_drafts` ADD `bcc_addresses` text;