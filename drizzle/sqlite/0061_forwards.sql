CREATE TABLE `forwards` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`forwarded_id` text NOT NULL,
	`left_out` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `forwards_forwarded` ON `forwards` (`tenant_id`,`forwarded_id`);--> statement-breakpoint
ALTER TABLE `reply_drafts` ADD `forwarded_id` text;--> statement-breakpoint
ALTER TABLE `reply_drafts` ADD `left_out` text;--> statement-breakpoint
CREATE INDEX `reply_drafts_forwarded` ON `reply_drafts` (`tenant_id`,`forwarded_id`) WHERE "reply_drafts"."forwarded_id" is not null;