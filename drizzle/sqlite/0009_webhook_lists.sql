CREATE TABLE `webhook_lists` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`list` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `webhook_batches` ADD `body_head` text;--> statement-breakpoint
ALTER TABLE `webhook_batches` ADD `list_number` integer;--> statement-breakpoint
CREATE INDEX `webhook_batches_by_list` ON `webhook_batches` (`list_number`) WHERE "webhook_batches"."list_number" IS NOT NULL;