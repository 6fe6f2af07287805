CREATE TABLE `article_drafts` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`article_id` text,
	`based_on` text,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`format` text NOT NULL,
	`canonical_url` text NOT NULL,
	`revision` integer NOT NULL,
	`writer` text NOT NULL,
	`created_at` text NOT NULL,
	`saved_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`,`article_id`) REFERENCES `articles`(`tenant_id`,`source_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `article_drafts_source` ON `article_drafts` (`tenant_id`,`source_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `article_drafts_article` ON `article_drafts` (`tenant_id`,`source_id`,`article_id`);