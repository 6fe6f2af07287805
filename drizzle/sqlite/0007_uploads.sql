CREATE TABLE `uploads` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`response_id` text,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_response` ON `uploads` (`tenant_id`,`response_id`);--> statement-breakpoint
CREATE INDEX `uploads_unused` ON `uploads` (`created_at`) WHERE response_id IS NULL;