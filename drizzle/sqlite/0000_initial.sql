CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `articles` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`source_id` text NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`title` text,
	`content` text,
	`format` text NOT NULL,
	`canonical_url` text,
	`indexed_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug` ON `articles` (`tenant_id`,`source_id`,`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `articles_id` ON `articles` (`tenant_id`,`source_id`,`id`);--> statement-breakpoint
CREATE TABLE `livechat_sources` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contact_groups` (
	`tenant_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`group_id` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `contact_id`, `group_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`group_id`) REFERENCES `groups`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contact_groups_group` ON `contact_groups` (`tenant_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`normalised_email` text NOT NULL,
	`name` text,
	`last_name` text,
	`phone` text,
	`organisation_id` text,
	`custom_values` text,
	`unsubscribed` integer DEFAULT false NOT NULL,
	`unsubscribed_at` text,
	`source` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`organisation_id`) REFERENCES `organisations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`tenant_id`,`normalised_email`);--> statement-breakpoint
CREATE INDEX `contacts_unsubscribed` ON `contacts` (`tenant_id`,`unsubscribed`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_updated` ON `contacts` (`tenant_id`,`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `contacts_organisation` ON `contacts` (`tenant_id`,`organisation_id`);--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_name` ON `custom_fields` (`tenant_id`,`name`);--> statement-breakpoint
CREATE TABLE `groups` (
	`tenant_id` text NOT NULL,
	`id` integer NOT NULL,
	`name` text NOT NULL,
	`consent_wording` text,
	`consent_group_type` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `organisations` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`domain` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `organisations_domain` ON `organisations` (`tenant_id`,`domain`,`id`);--> statement-breakpoint
CREATE TABLE `events` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event` text NOT NULL,
	`timestamp` text NOT NULL,
	`payload` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `events_timestamp` ON `events` (`timestamp`);--> statement-breakpoint
CREATE TABLE `forms` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`launch_code` text NOT NULL,
	`status` text NOT NULL,
	`pages` text NOT NULL,
	`published_at` text,
	`trashed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`workspace_id`) REFERENCES `workspaces`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`owner_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `forms_launch_code` ON `forms` (`launch_code`);--> statement-breakpoint
CREATE INDEX `forms_workspace` ON `forms` (`tenant_id`,`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `forms_updated` ON `forms` (`tenant_id`,`id`,`updated_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	`last_used_at` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`location` text,
	`body` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `key`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `responses` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`status` text NOT NULL,
	`resume_token_hash` text,
	`contact_id` text,
	`answers` text NOT NULL,
	`scores` text NOT NULL,
	`created_at` text NOT NULL,
	`submitted_at` text,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `responses_form` ON `responses` (`tenant_id`,`form_id`,`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `responses_status` ON `responses` (`tenant_id`,`form_id`,`status`,`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `responses_contact` ON `responses` (`tenant_id`,`contact_id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`billable` integer NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `attachments` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`message_id` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `inboxes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`channel` text NOT NULL,
	`email_address` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `inboxes_email` ON `inboxes` (`email_address`);--> statement-breakpoint
CREATE TABLE `messages` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`direction` text NOT NULL,
	`source` text NOT NULL,
	`author_type` text NOT NULL,
	`author_id` text,
	`author_name` text,
	`subject` text,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`from_address` text,
	`to_addresses` text NOT NULL,
	`cc_addresses` text NOT NULL,
	`mail_id` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `messages_ticket` ON `messages` (`tenant_id`,`ticket_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `messages_mail` ON `messages` (`mail_id`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`sequential_number` integer NOT NULL,
	`status` text NOT NULL,
	`priority` text NOT NULL,
	`contact_id` text,
	`requester_email` text NOT NULL,
	`requester_name` text,
	`subject` text NOT NULL,
	`excerpt` text NOT NULL,
	`message_count` integer NOT NULL,
	`snoozed_until` text,
	`last_message_at` text NOT NULL,
	`closed_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_number` ON `tickets` (`tenant_id`,`sequential_number`);--> statement-breakpoint
CREATE INDEX `tickets_inbox` ON `tickets` (`tenant_id`,`inbox_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_status` ON `tickets` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_contact` ON `tickets` (`tenant_id`,`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_updated` ON `tickets` (`tenant_id`,`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tickets_snoozed` ON `tickets` (`snoozed_until`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`active` integer NOT NULL,
	`events` text NOT NULL,
	`secret` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
