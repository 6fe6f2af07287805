CREATE TABLE `visitors` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`source_id` text NOT NULL,
	`contact_id` text,
	`name` text,
	`email` text,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`source_id`) REFERENCES `livechat_sources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`contact_id`) REFERENCES `contacts`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visitors_token` ON `visitors` (`token_hash`);--> statement-breakpoint
CREATE INDEX `visitors_contact` ON `visitors` (`tenant_id`,`contact_id`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_contacts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text,
	`normalised_email` text,
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
INSERT INTO `__new_contacts`("tenant_id", "id", "email", "normalised_email", "name", "last_name", "phone", "organisation_id", "custom_values", "unsubscribed", "unsubscribed_at", "source", "created_at", "updated_at") SELECT "tenant_id", "id", "email", "normalised_email", "name", "last_name", "phone", "organisation_id", "custom_values", "unsubscribed", "unsubscribed_at", "source", "created_at", "updated_at" FROM `contacts`;--> statement-breakpoint
DROP TABLE `contacts`;--> statement-breakpoint
ALTER TABLE `__new_contacts` RENAME TO `contacts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`tenant_id`,`normalised_email`);--> statement-breakpoint
CREATE INDEX `contacts_unsubscribed` ON `contacts` (`tenant_id`,`unsubscribed`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_changed` ON `contacts` (`tenant_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_organisation` ON `contacts` (`tenant_id`,`organisation_id`) WHERE "contacts"."organisation_id" is not null;--> statement-breakpoint
CREATE TABLE `__new_tickets` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`sequential_number` integer NOT NULL,
	`status` text NOT NULL,
	`priority` text NOT NULL,
	`contact_id` text,
	`requester_email` text,
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
INSERT INTO `__new_tickets`("tenant_id", "id", "inbox_id", "sequential_number", "status", "priority", "contact_id", "requester_email", "requester_name", "subject", "excerpt", "message_count", "snoozed_until", "last_message_at", "closed_at", "created_at", "updated_at") SELECT "tenant_id", "id", "inbox_id", "sequential_number", "status", "priority", "contact_id", "requester_email", "requester_name", "subject", "excerpt", "message_count", "snoozed_until", "last_message_at", "closed_at", "created_at", "updated_at" FROM `tickets`;--> statement-breakpoint
DROP TABLE `tickets`;--> statement-breakpoint
ALTER TABLE `__new_tickets` RENAME TO `tickets`;--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_number` ON `tickets` (`tenant_id`,`sequential_number`);--> statement-breakpoint
CREATE INDEX `tickets_inbox` ON `tickets` (`tenant_id`,`inbox_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_status` ON `tickets` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_contact` ON `tickets` (`tenant_id`,`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_snoozed` ON `tickets` (`snoozed_until`);--> statement-breakpoint
CREATE INDEX `tickets_inbox_status` ON `tickets` (`tenant_id`,`inbox_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_changed` ON `tickets` (`tenant_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_contact_inbox_status` ON `tickets` (`tenant_id`,`contact_id`,`inbox_id`,`status`,`id`);