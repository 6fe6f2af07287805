CREATE VIRTUAL TABLE `article_search` USING fts5(`title`, `content`, content=`articles`, content_rowid=`number`, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `article_search_insert` AFTER INSERT ON `articles` BEGIN
  INSERT INTO `article_search`(rowid, `title`, `content`) VALUES (new.`number`, new.`title`, new.`content`);
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_delete` AFTER DELETE ON `articles` BEGIN
  INSERT INTO `article_search`(`article_search`, rowid, `title`, `content`) VALUES ('delete', old.`number`, old.`title`, old.`content`);
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_update` AFTER UPDATE OF `title`, `content` ON `articles` BEGIN
  INSERT INTO `article_search`(`article_search`, rowid, `title`, `content`) VALUES ('delete', old.`number`, old.`title`, old.`content`);
  INSERT INTO `article_search`(rowid, `title`, `content`) VALUES (new.`number`, new.`title`, new.`content`);
END;
