CREATE TABLE `form_revisions` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`number` integer NOT NULL,
	`pages` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `forms` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `draft` text;--> statement-breakpoint
ALTER TABLE `forms` ADD `drafted_at` text;--> statement-breakpoint
ALTER TABLE `responses` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
INSERT INTO `form_revisions` (`tenant_id`, `form_id`, `number`, `pages`, `created_at`)
SELECT `tenant_id`, `id`, 1, `pages`, `published_at` FROM `forms` WHERE `published_at` IS NOT NULL;--> statement-breakpoint
UPDATE `forms` SET `revision` = 1 WHERE `published_at` IS NOT NULL;
