CREATE TABLE `canned_replies` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `canned_replies_user` ON `canned_replies` (`tenant_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `inbox_views` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `inbox_views_user` ON `inbox_views` (`tenant_id`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `ticket_reads` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`read_until` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_reads_ticket` ON `ticket_reads` (`tenant_id`,`ticket_id`);--> statement-breakpoint
CREATE TABLE `searched_messages` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `searched_messages_message` ON `searched_messages` (`tenant_id`,`message_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `uses_shortcuts` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `waiting_since` text;
--> statement-breakpoint
UPDATE `tickets` SET `waiting_since` = (
  SELECT min(`created_at`) FROM `messages` AS `theirs`
  WHERE `theirs`.`tenant_id` = `tickets`.`tenant_id` AND `theirs`.`ticket_id` = `tickets`.`id`
    AND `theirs`.`state` = 'public' AND `theirs`.`direction` = 'inbound' AND `theirs`.`id` > coalesce((
      SELECT max(`ours`.`id`) FROM `messages` AS `ours`
      WHERE `ours`.`tenant_id` = `tickets`.`tenant_id` AND `ours`.`ticket_id` = `tickets`.`id`
        AND `ours`.`state` = 'public' AND `ours`.`direction` = 'outbound'
    ), '')
) WHERE `status` IN ('open', 'pending');
--> statement-breakpoint
-- Of each message the ticket's subject, who wrote it or got it (the inbox is no news), and the beginning of the text: to index
-- 16,000 characters takes a few
-- milliseconds, in which nothing else is served. Which words a message holds is known, and nothing of where: that takes a
-- quarter of the room. The tenant is one of the words, of a form that no search for words can have: see `messageSearch`.
CREATE VIRTUAL TABLE `message_search` USING fts5(`words`, content='', contentless_delete=1, detail='none', prefix='1 2', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `searched_messages_insert` AFTER INSERT ON `searched_messages` BEGIN
  INSERT INTO `message_search`(rowid, `words`)
  SELECT new.`number`, concat_ws(' ', char(57344) || replace(new.`tenant_id`, '-', ''), `ticket`.`subject`, `ticket`.`requester_name`, `ticket`.`requester_email`, `message`.`author_name`, CASE `message`.`direction` WHEN 'inbound' THEN `message`.`from_address` ELSE substr(`message`.`to_addresses`, 1, 2000) END, substr(`message`.`cc_addresses`, 1, 2000), substr(`message`.`text`, 1, 16000))
  FROM `messages` AS `message`
  INNER JOIN `tickets` AS `ticket` ON `ticket`.`tenant_id` = `message`.`tenant_id` AND `ticket`.`id` = `message`.`ticket_id`
  WHERE `message`.`tenant_id` = new.`tenant_id` AND `message`.`id` = new.`message_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `searched_messages_delete` AFTER DELETE ON `searched_messages` BEGIN
  DELETE FROM `message_search` WHERE rowid = old.`number`;
END;
--> statement-breakpoint
CREATE TRIGGER `messages_searched_insert` AFTER INSERT ON `messages` BEGIN
  INSERT INTO `searched_messages`(`tenant_id`, `message_id`, `ticket_id`) VALUES (new.`tenant_id`, new.`id`, new.`ticket_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `messages_searched_move` AFTER UPDATE OF `ticket_id` ON `messages` BEGIN
  UPDATE `searched_messages` SET `ticket_id` = new.`ticket_id` WHERE `tenant_id` = new.`tenant_id` AND `message_id` = new.`id`;
END;
--> statement-breakpoint
INSERT INTO `searched_messages`(`tenant_id`, `message_id`, `ticket_id`) SELECT `tenant_id`, `id`, `ticket_id` FROM `messages` ORDER BY `created_at`, `id`;
