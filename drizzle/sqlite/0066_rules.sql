CREATE TABLE `happening_queue` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`happening` text NOT NULL,
	`record_id` text NOT NULL,
	`message_id` text,
	`at` text NOT NULL,
	`depth` integer NOT NULL,
	`rule_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `rule_failures` (
	`tenant_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`count` integer NOT NULL,
	`error` text NOT NULL,
	`failed_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `rule_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`rule_id`) REFERENCES `rules`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `rule_mails` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`address` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`error` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `rule_mails_due` ON `rule_mails` (`due_at`) WHERE "rule_mails"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `rule_misses` (
	`tenant_id` text NOT NULL,
	`trigger` text NOT NULL,
	`number` integer NOT NULL,
	`record_id` text NOT NULL,
	`failed` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `trigger`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `rule_replies` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`depth` integer NOT NULL,
	`is_form` integer NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rule_replies_ticket` ON `rule_replies` (`tenant_id`,`ticket_id`,`rule_id`,`at`);--> statement-breakpoint
CREATE TABLE `rule_runs` (
	`tenant_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`number` integer NOT NULL,
	`trigger` text NOT NULL,
	`record_id` text NOT NULL,
	`actions` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `rule_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`rule_id`) REFERENCES `rules`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rule_runs_record` ON `rule_runs` (`tenant_id`,`record_id`,`rule_id`,`number`);--> statement-breakpoint
CREATE TABLE `rule_waits` (
	`tenant_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`since` text NOT NULL,
	`due_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `rule_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`rule_id`) REFERENCES `rules`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rule_waits_due` ON `rule_waits` (`due_at`);--> statement-breakpoint
CREATE TABLE `rules` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`trigger` text NOT NULL,
	`span` integer,
	`conditions` text,
	`actions` text NOT NULL,
	`enabled` integer NOT NULL,
	`maker_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rules_number` ON `rules` (`tenant_id`,`number`);