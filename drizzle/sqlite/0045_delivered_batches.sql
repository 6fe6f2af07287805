CREATE TABLE `delivered_batches` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_number` integer NOT NULL,
	`id` text NOT NULL,
	`list_number` integer NOT NULL,
	`event_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer NOT NULL,
	`attempted_at` integer NOT NULL,
	`status_code` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`delivered_at` integer NOT NULL,
	FOREIGN KEY (`webhook_number`) REFERENCES `webhook_numbers`(`number`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `delivered_batches_of_webhook` ON `delivered_batches` (`webhook_number`,`id`);--> statement-breakpoint
CREATE INDEX `delivered_batches_by_list` ON `delivered_batches` (`list_number`);--> statement-breakpoint
CREATE TABLE `webhook_numbers` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`webhook_id`) REFERENCES `webhooks`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_numbers_webhook` ON `webhook_numbers` (`tenant_id`,`webhook_id`);