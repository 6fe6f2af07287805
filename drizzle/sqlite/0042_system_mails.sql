CREATE TABLE `account_mails` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` text NOT NULL,
	`returned_at` text,
	`error` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_mails_id` ON `account_mails` (`id`);--> statement-breakpoint
CREATE INDEX `account_mails_user` ON `account_mails` (`tenant_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `account_mails_created` ON `account_mails` (`created_at`);--> statement-breakpoint
DROP INDEX `users_email`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_sign_in` ON `users` (`email`) WHERE password_hash <> '-';--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`,`tenant_id`);--> statement-breakpoint
ALTER TABLE `received_mails` ADD `holds_more` integer DEFAULT false NOT NULL;