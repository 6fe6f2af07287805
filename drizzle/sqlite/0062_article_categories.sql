CREATE TABLE `article_categories` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `article_categories_order` ON `article_categories` (`tenant_id`,`source_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `article_places` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`article_id` text NOT NULL,
	`category_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `source_id`, `article_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`,`article_id`) REFERENCES `articles`(`tenant_id`,`source_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`category_id`) REFERENCES `article_categories`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `article_places_order` ON `article_places` (`tenant_id`,`category_id`,`position`,`article_id`);