CREATE TABLE `tags` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`comparable_name` text NOT NULL,
	`colour` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`tenant_id`,`comparable_name`);--> statement-breakpoint
CREATE TABLE `ticket_tags` (
	`tenant_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`tag_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `ticket_id`, `tag_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`tag_id`) REFERENCES `tags`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_tags_tag` ON `ticket_tags` (`tenant_id`,`tag_id`,`ticket_id`);--> statement-breakpoint
CREATE TABLE `team_members` (
	`tenant_id` text NOT NULL,
	`team_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `team_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`team_id`) REFERENCES `teams`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `team_members_user` ON `team_members` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`comparable_name` text NOT NULL,
	`distribution` text NOT NULL,
	`last_chosen_id` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `teams_name` ON `teams` (`tenant_id`,`comparable_name`);--> statement-breakpoint
ALTER TABLE `tickets` ADD `team_id` text;--> statement-breakpoint
CREATE INDEX `tickets_assignee` ON `tickets` (`tenant_id`,`assignee_id`,`id`) WHERE "tickets"."assignee_id" is not null;--> statement-breakpoint
CREATE INDEX `tickets_assignee_open` ON `tickets` (`tenant_id`,`assignee_id`) WHERE "tickets"."assignee_id" IS NOT NULL AND "tickets"."status" = 'open';--> statement-breakpoint
CREATE INDEX `tickets_team` ON `tickets` (`tenant_id`,`team_id`,`id`) WHERE "tickets"."team_id" is not null;--> statement-breakpoint
CREATE INDEX `tickets_team_changed` ON `tickets` (`tenant_id`,`team_id`,`updated_at`,`id`) WHERE "tickets"."team_id" is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `away` integer DEFAULT false NOT NULL;