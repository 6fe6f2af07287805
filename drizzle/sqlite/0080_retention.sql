CREATE TABLE `retention_runs` (
	`tenant_id` text NOT NULL,
	`rule` text NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `rule`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `retention_days` (
	`tenant_id` text NOT NULL,
	`rule` text NOT NULL,
	`days` integer,
	PRIMARY KEY(`tenant_id`, `rule`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP INDEX `received_mails_kept`;--> statement-breakpoint
CREATE INDEX `received_mails_kept` ON `received_mails` (`tenant_id`,`received_at`,`id`) WHERE kept_in IS NOT NULL;--> statement-breakpoint
DROP INDEX `responses_partial`;--> statement-breakpoint
CREATE INDEX `responses_partial` ON `responses` (`tenant_id`,`updated_at`,`id`) WHERE status = 'partial';--> statement-breakpoint
DROP INDEX `webhook_batches_finished`;--> statement-breakpoint
CREATE INDEX `webhook_batches_finished` ON `webhook_batches` (`tenant_id`,`finished_at`,`id`) WHERE "webhook_batches"."finished_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_heads` ADD `dropped` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_heads` ADD `dropped_hash` text;