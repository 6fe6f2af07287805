CREATE TABLE `form_edits` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`version` integer NOT NULL,
	`kind` text NOT NULL,
	`what` text NOT NULL,
	`author_id` text,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`, `version`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
