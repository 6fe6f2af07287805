CREATE TABLE `alert_choices` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`browser` integer NOT NULL,
	`sound` integer NOT NULL,
	`mail` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `kind`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alert_mails` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`due_at` text,
	`is_leased` integer DEFAULT false NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_mails_due` ON `alert_mails` (`due_at`) WHERE "alert_mails"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `alerts` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	`message_id` text,
	`by_name` text,
	`is_shown` integer NOT NULL,
	`is_heard` integer NOT NULL,
	`mail` text NOT NULL,
	`mail_at` text,
	`mailed_at` text,
	`mail_number` integer,
	`mail_error` text,
	`seen_at` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_id` ON `alerts` (`id`);--> statement-breakpoint
CREATE INDEX `alerts_user` ON `alerts` (`tenant_id`,`user_id`,`ticket_id`,`number`);--> statement-breakpoint
CREATE INDEX `alerts_ticket` ON `alerts` (`tenant_id`,`ticket_id`);--> statement-breakpoint
CREATE INDEX `alerts_message` ON `alerts` (`tenant_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `alerts_waiting` ON `alerts` (`tenant_id`,`user_id`,`mail_at`) WHERE "alerts"."mail_at" is not null;--> statement-breakpoint
CREATE INDEX `alerts_mailed` ON `alerts` (`tenant_id`,`user_id`,`mailed_at`) WHERE "alerts"."mailed_at" is not null;--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`created_at`);--> statement-breakpoint
CREATE TABLE `mentions` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `message_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mentions_user` ON `mentions` (`tenant_id`,`user_id`);