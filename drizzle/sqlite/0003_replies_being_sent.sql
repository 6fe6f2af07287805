PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_attachments` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`message_id` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_attachments`("tenant_id", "id", "message_id", "file_name", "content_type", "size") SELECT "tenant_id", "id", "message_id", "file_name", "content_type", "size" FROM `attachments`;--> statement-breakpoint
DROP TABLE `attachments`;--> statement-breakpoint
ALTER TABLE `__new_attachments` RENAME TO `attachments`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `messages_sending` ON `messages` (`tenant_id`,`id`) WHERE "messages"."state" = 'sending';