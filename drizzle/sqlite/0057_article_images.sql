CREATE TABLE `article_image_uses` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`holder_id` text NOT NULL,
	`image_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `source_id`, `holder_id`, `image_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`image_id`) REFERENCES `article_images`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `article_image_uses_image` ON `article_image_uses` (`tenant_id`,`image_id`);--> statement-breakpoint
CREATE TABLE `article_images` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`unused_since` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `article_images_unused` ON `article_images` (`unused_since`) WHERE unused_since IS NOT NULL;