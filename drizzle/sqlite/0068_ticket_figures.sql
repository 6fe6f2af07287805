CREATE TABLE `ticket_figures` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`is_counted` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`inbox_id` text NOT NULL,
	`team_id` text,
	`assignee_id` text,
	`first_answered_at` text,
	`closed_at` text,
	`first_answer_time` integer,
	`first_answer_working_time` integer,
	`close_time` integer,
	`close_working_time` integer,
	`answers` text,
	PRIMARY KEY(`tenant_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_figures_closed` ON `ticket_figures` (`tenant_id`,`closed_at`) WHERE "ticket_figures"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX `ticket_figures_open` ON `ticket_figures` (`tenant_id`,`is_counted`) WHERE "ticket_figures"."closed_at" is null;--> statement-breakpoint
CREATE TABLE `changed_tickets` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`changes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_closings` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`closed_at` text NOT NULL,
	`reopened_at` text,
	PRIMARY KEY(`tenant_id`, `ticket_id`, `closed_at`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_closings_closed` ON `ticket_closings` (`tenant_id`,`closed_at`);--> statement-breakpoint
CREATE INDEX `ticket_closings_reopened` ON `ticket_closings` (`tenant_id`,`reopened_at`) WHERE "ticket_closings"."reopened_at" is not null;
--> statement-breakpoint
INSERT INTO "ticket_closings" ("tenant_id", "ticket_id", "closed_at") SELECT "tenant_id", "id", "closed_at" FROM "tickets" WHERE "closed_at" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "changed_tickets" ("tenant_id", "ticket_id", "changes") SELECT "tenant_id", "id", 1 FROM "tickets";
