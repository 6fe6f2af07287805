DROP TRIGGER `article_search_insert`;
--> statement-breakpoint
DROP TRIGGER `article_search_delete`;
--> statement-breakpoint
DROP TRIGGER `article_search_update`;
--> statement-breakpoint
DROP TABLE `article_search`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_search` USING fts5(`source`, `title`, `content`, content='', contentless_delete=1, prefix='1 2', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
INSERT INTO `article_search`(rowid, `source`, `title`, `content`) SELECT `number`, replace(`source_id`, '-', ''), `title`, `content` FROM `articles`;
--> statement-breakpoint
CREATE TRIGGER `article_search_insert` AFTER INSERT ON `articles` BEGIN
  INSERT INTO `article_search`(rowid, `source`, `title`, `content`) VALUES (new.`number`, replace(new.`source_id`, '-', ''), new.`title`, new.`content`);
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_delete` AFTER DELETE ON `articles` BEGIN
  DELETE FROM `article_search` WHERE rowid = old.`number`;
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_update` AFTER UPDATE OF `title`, `content` ON `articles` BEGIN
  UPDATE `article_search` SET `source` = replace(new.`source_id`, '-', ''), `title` = new.`title`, `content` = new.`content` WHERE rowid = new.`number`;
END;
