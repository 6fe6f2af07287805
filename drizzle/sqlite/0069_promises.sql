CREATE TABLE `calendar_recounts` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL,
	`finds_anew` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `promise_clocks` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	`promise_id` text NOT NULL,
	`started_at` text NOT NULL,
	`target` integer NOT NULL,
	`pauses` text NOT NULL,
	`due_at` text,
	`broken_at` text,
	PRIMARY KEY(`tenant_id`, `ticket_id`, `kind`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `promise_clocks_due` ON `promise_clocks` (`due_at`) WHERE due_at IS NOT NULL AND broken_at IS NULL;--> statement-breakpoint
CREATE TABLE `promise_outcomes` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	`started_at` text NOT NULL,
	`promise_id` text NOT NULL,
	`due_at` text,
	`decided_at` text NOT NULL,
	`kept` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`, `kind`, `started_at`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `promise_outcomes_decided` ON `promise_outcomes` (`tenant_id`,`decided_at`);--> statement-breakpoint
CREATE TABLE `promises` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`conditions` text,
	`targets` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `tickets` ADD `promise_id` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `due_at` text;--> statement-breakpoint
CREATE INDEX `tickets_due` ON `tickets` (`tenant_id`,`id`) WHERE "tickets"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `tickets_due_at` ON `tickets` (`tenant_id`,`due_at`,`id`) WHERE "tickets"."due_at" is not null;