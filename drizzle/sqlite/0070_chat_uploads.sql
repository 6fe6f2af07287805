CREATE TABLE `chat_uploads` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`visitor_id` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sender_hash` text NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`visitor_id`) REFERENCES `visitors`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_uploads_visitor` ON `chat_uploads` (`tenant_id`,`visitor_id`);--> statement-breakpoint
CREATE INDEX `chat_uploads_sender` ON `chat_uploads` (`sender_hash`,`size`,`created_at`);--> statement-breakpoint
CREATE INDEX `chat_uploads_old` ON `chat_uploads` (`created_at`);