CREATE TABLE `pending_replies` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`due_at` text,
	`closes_ticket` integer NOT NULL,
	`address` text,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pending_replies_due` ON `pending_replies` (`due_at`) WHERE "pending_replies"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `reply_drafts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`cc_addresses` text NOT NULL,
	`saved_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reply_drafts_ticket` ON `reply_drafts` (`tenant_id`,`ticket_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `reply_drafts_user` ON `reply_drafts` (`tenant_id`,`user_id`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_attachments` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`message_id` text,
	`draft_id` text,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`draft_id`) REFERENCES `reply_drafts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_attachments`("tenant_id", "id", "message_id", "draft_id", "file_name", "content_type", "size", "sha256") SELECT "tenant_id", "id", "message_id", NULL, "file_name", "content_type", "size", "sha256" FROM `attachments`;--> statement-breakpoint
DROP TABLE `attachments`;--> statement-breakpoint
ALTER TABLE `__new_attachments` RENAME TO `attachments`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`,`id`);--> statement-breakpoint
CREATE INDEX `attachments_draft` ON `attachments` (`tenant_id`,`draft_id`,`id`) WHERE "attachments"."draft_id" is not null;