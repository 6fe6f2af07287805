CREATE TABLE `webhook_attempts` (
	`tenant_id` text NOT NULL,
	`batch_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` text NOT NULL,
	`status_code` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `batch_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_batches` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`state` text NOT NULL,
	`position` integer,
	`due_at` text,
	`closes_at` text,
	`event_count` integer NOT NULL,
	`event_numbers` text,
	`attempts` integer NOT NULL,
	`created_at` text NOT NULL,
	`delivered_at` text,
	`finished_at` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`webhook_id`) REFERENCES `webhooks`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_batches_list` ON `webhook_batches` (`tenant_id`,`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_batches_state` ON `webhook_batches` (`tenant_id`,`webhook_id`,`state`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_batches_queue` ON `webhook_batches` (`tenant_id`,`webhook_id`,`position`) WHERE "webhook_batches"."position" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_batches_collecting` ON `webhook_batches` (`tenant_id`,`webhook_id`) WHERE "webhook_batches"."closes_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_batches_due` ON `webhook_batches` (`due_at`) WHERE "webhook_batches"."due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_batches_finished` ON `webhook_batches` (`finished_at`) WHERE "webhook_batches"."finished_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_bodies` (
	`tenant_id` text NOT NULL,
	`batch_id` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `batch_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`event_number` integer NOT NULL
);
