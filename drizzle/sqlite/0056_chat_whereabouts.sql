ALTER TABLE `conversations` ADD `page` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `read_id` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `read_at` text;