CREATE TABLE `unopened_tickets` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_reply_drafts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`ticket_id` text,
	`user_id` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`to_addresses` text,
	`cc_addresses` text NOT NULL,
	`subject` text,
	`inbox_id` text,
	`saved_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_reply_drafts`("tenant_id", "id", "ticket_id", "user_id", "html", "text", "to_addresses", "cc_addresses", "subject", "inbox_id", "saved_at") SELECT "tenant_id", "id", "ticket_id", "user_id", "html", "text", "to_addresses", "cc_addresses", NULL, NULL, "saved_at" FROM `reply_drafts`;--> statement-breakpoint
DROP TABLE `reply_drafts`;--> statement-breakpoint
ALTER TABLE `__new_reply_drafts` RENAME TO `reply_drafts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `reply_drafts_ticket` ON `reply_drafts` (`tenant_id`,`ticket_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `reply_drafts_user` ON `reply_drafts` (`tenant_id`,`user_id`);