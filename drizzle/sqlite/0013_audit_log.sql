CREATE TABLE `audit_entries` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`at` text NOT NULL,
	`via` text NOT NULL,
	`author_type` text NOT NULL,
	`author_id` text,
	`author_name` text,
	`address` text,
	`action` text NOT NULL,
	`record_id` text NOT NULL,
	`fields` text,
	`position` integer,
	`hash` text,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_position` ON `audit_entries` (`tenant_id`,`position`) WHERE "audit_entries"."position" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_unlinked` ON `audit_entries` (`number`) WHERE "audit_entries"."position" IS NULL;--> statement-breakpoint
CREATE TABLE `audit_heads` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
