CREATE TABLE `form_files` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`kind` text NOT NULL,
	`content_type` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`, `kind`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
