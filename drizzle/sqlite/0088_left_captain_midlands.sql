DROP INDEX `attachments_message`;--> statement-breakpoint
ALTER TABLE `attachments` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`,`position`,`id`);