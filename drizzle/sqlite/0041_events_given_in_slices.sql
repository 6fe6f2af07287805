ALTER TABLE `event_queue` ADD `given_to` text;--> statement-breakpoint
ALTER TABLE `webhook_batches` ADD `closed_at` text;--> statement-breakpoint
ALTER TABLE `webhook_lists` ADD `events_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_lists_events` ON `webhook_lists` (`tenant_id`,`events_hash`) WHERE "webhook_lists"."events_hash" IS NOT NULL;--> statement-breakpoint
-- By hand: in the order of its key, which would else be stored twice.
CREATE TABLE `attempts_by_key` (
	`tenant_id` text NOT NULL,
	`batch_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` text NOT NULL,
	`status_code` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `batch_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `attempts_by_key` SELECT `tenant_id`, `batch_id`, `number`, `at`, `status_code`, `error`, `duration_ms` FROM `webhook_attempts` ORDER BY 1, 2, 3;
--> statement-breakpoint
DROP TABLE `webhook_attempts`;
--> statement-breakpoint
ALTER TABLE `attempts_by_key` RENAME TO `webhook_attempts`;
