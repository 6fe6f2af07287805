ALTER TABLE `reply_drafts` ADD `to_addresses` text;--> statement-breakpoint
UPDATE `reply_drafts` SET `to_addresses` = '[]';