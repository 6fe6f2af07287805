CREATE TABLE `webhook_replays` (
	`tenant_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`since` text NOT NULL,
	`until` text,
	`after_transaction` integer NOT NULL,
	`after_number` integer NOT NULL,
	`last_transaction` integer NOT NULL,
	`last_number` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `webhook_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`webhook_id`) REFERENCES `webhooks`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `events` ADD `transaction_number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `events_log` ON `events` (`tenant_id`,`transaction_number`,`number`,`event`);