CREATE TABLE `article_category_names` (
	`tenant_id` text NOT NULL,
	`category_id` text NOT NULL,
	`language` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`, `language`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`category_id`) REFERENCES `article_categories`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `article_drafts_article`;--> statement-breakpoint
ALTER TABLE `article_drafts` ADD `language` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `article_drafts_article` ON `article_drafts` (`tenant_id`,`source_id`,`article_id`,`language`);--> statement-breakpoint
DROP INDEX `articles_slug`;--> statement-breakpoint
ALTER TABLE `articles` ADD `language` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `articles` ADD `outdated_since` text;--> statement-breakpoint
CREATE INDEX `articles_list` ON `articles` (`tenant_id`,`source_id`,`language`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug` ON `articles` (`tenant_id`,`source_id`,`slug`,`language`);--> statement-breakpoint
ALTER TABLE `livechat_sources` ADD `language` text;--> statement-breakpoint
ALTER TABLE `livechat_sources` ADD `languages` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- The text index has each language of a source as a source of its own.
DROP TRIGGER `article_search_insert`;
--> statement-breakpoint
DROP TRIGGER `article_search_update`;
--> statement-breakpoint
CREATE TRIGGER `article_search_insert` AFTER INSERT ON `articles` BEGIN
  INSERT INTO `article_search`(rowid, `source`, `title`, `content`) VALUES (new.`number`, replace(new.`source_id`, '-', '') || new.`language`, new.`title`, CAST(substr(CAST(new.`content` AS BLOB), 1, 131072) AS TEXT));
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_update` AFTER UPDATE OF `title`, `content` ON `articles` BEGIN
  UPDATE `article_search` SET `source` = replace(new.`source_id`, '-', '') || new.`language`, `title` = new.`title`, `content` = CAST(substr(CAST(new.`content` AS BLOB), 1, 131072) AS TEXT) WHERE rowid = new.`number`;
END;
