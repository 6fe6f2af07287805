CREATE TABLE `form_logos` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`content_type` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`response_id` text NOT NULL,
	`form_id` text NOT NULL,
	`address` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`error` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`response_id`) REFERENCES `responses`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_given_up` ON `notifications` (`created_at`) WHERE due_at IS NULL;--> statement-breakpoint
CREATE INDEX `notifications_response` ON `notifications` (`tenant_id`,`response_id`);--> statement-breakpoint
ALTER TABLE `tenants` ADD `language` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `draft_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `settings` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `closes_at` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `max_responses` integer;--> statement-breakpoint
CREATE INDEX `forms_closing` ON `forms` (`closes_at`) WHERE closes_at IS NOT NULL AND status = 'active';--> statement-breakpoint
ALTER TABLE `responses` ADD `hidden_fields` text;