CREATE TABLE `chat_mails` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`address` text,
	`first_message_id` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`ended_at` text,
	`error` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `conversations`(`tenant_id`,`ticket_id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_mails_waiting` ON `chat_mails` (`tenant_id`,`ticket_id`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chat_mails_conversation` ON `chat_mails` (`tenant_id`,`ticket_id`);--> statement-breakpoint
CREATE INDEX `chat_mails_due` ON `chat_mails` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chat_mails_ended` ON `chat_mails` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `chat_mails_address` ON `chat_mails` (`tenant_id`,`address`,`ended_at`);--> statement-breakpoint
CREATE TABLE `chat_settings` (
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`origins` text,
	`hours` text,
	`email_inbox_id` text,
	`away_text` text,
	`hides_when_away` integer DEFAULT false NOT NULL,
	`accent` text,
	`language` text,
	`sealed_secret` text,
	PRIMARY KEY(`tenant_id`, `source_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`email_inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `client_messages` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`client_id` text NOT NULL,
	`message_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`, `client_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `client_messages_message` ON `client_messages` (`tenant_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`visitor_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`visitor_id`) REFERENCES `visitors`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `conversations_visitor` ON `conversations` (`tenant_id`,`visitor_id`,`ticket_id`);--> statement-breakpoint
ALTER TABLE `visitors` ADD `is_verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `visitors` ADD `wrote_at` text;--> statement-breakpoint
CREATE INDEX `visitors_silent` ON `visitors` (`created_at`) WHERE wrote_at IS NULL;--> statement-breakpoint
CREATE INDEX `livechat_sources_id` ON `livechat_sources` (`id`);