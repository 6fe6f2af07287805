CREATE TABLE `installation` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `uploads` ADD `sender_hash` text;--> statement-breakpoint
CREATE INDEX `uploads_sender` ON `uploads` (`sender_hash`,`size`,`created_at`) WHERE sender_hash IS NOT NULL;