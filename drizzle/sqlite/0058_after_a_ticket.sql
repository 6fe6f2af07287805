ALTER TABLE `pending_replies` ADD `then_status` text;--> statement-breakpoint
ALTER TABLE `pending_replies` ADD `then_snoozed_until` text;--> statement-breakpoint
ALTER TABLE `users` ADD `after_done` text DEFAULT 'next' NOT NULL;--> statement-breakpoint
UPDATE `pending_replies` SET `then_status` = 'closed' WHERE `closes_ticket` = 1;