ALTER TABLE `pending_replies` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pending_replies` ADD `via` text DEFAULT 'console' NOT NULL;