CREATE TABLE `form_texts` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`language` text NOT NULL,
	`texts` text NOT NULL,
	`version` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`, `language`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `responses` ADD `language` text;