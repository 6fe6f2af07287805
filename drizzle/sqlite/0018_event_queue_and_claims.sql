CREATE TABLE `event_queue` (
	`number` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
INSERT INTO `event_queue` (`number`) SELECT `number` FROM `events` WHERE `number` > coalesce((SELECT `event_number` FROM `webhook_cursor`), 0);
--> statement-breakpoint
CREATE TRIGGER `events_queued` AFTER INSERT ON `events` BEGIN
  INSERT INTO `event_queue` (`number`) VALUES (new.`number`);
END;
--> statement-breakpoint
CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`beat` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `inboxes_email`;--> statement-breakpoint
CREATE UNIQUE INDEX `inboxes_email` ON `inboxes` (`email_address`);--> statement-breakpoint
ALTER TABLE `webhook_batches` ADD `claimed_by` text;