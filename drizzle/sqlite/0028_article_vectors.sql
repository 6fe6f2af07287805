CREATE TABLE `article_vectors` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`article_id` text NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`model` text,
	`vector` text,
	PRIMARY KEY(`tenant_id`, `source_id`, `article_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`,`article_id`) REFERENCES `articles`(`tenant_id`,`source_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `article_vectors_due` ON `article_vectors` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `article_vectors` (`tenant_id`, `source_id`, `article_id`, `due_at`) SELECT `tenant_id`, `source_id`, `id`, `updated_at` FROM `articles`;
