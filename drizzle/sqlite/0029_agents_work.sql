CREATE TABLE `ticket_merges` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`into_id` text NOT NULL,
	`status` text NOT NULL,
	`snoozed_until` text,
	`closed_at` text,
	`into_excerpt` text NOT NULL,
	`into_last_message_at` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`into_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ticket_merges_into` ON `ticket_merges` (`tenant_id`,`into_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `name` text;--> statement-breakpoint
ALTER TABLE `users` ADD `signature` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `written_in_id` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `assignee_id` text;