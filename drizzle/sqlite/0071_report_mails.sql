CREATE TABLE `report_mails` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`inbox_id` text,
	`team_id` text,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`team_id`) REFERENCES `teams`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `report_mails_due` ON `report_mails` (`due_at`) WHERE "report_mails"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `report_mails_user` ON `report_mails` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `report_mails_inbox` ON `report_mails` (`tenant_id`,`inbox_id`) WHERE "report_mails"."inbox_id" is not null;--> statement-breakpoint
CREATE INDEX `report_mails_team` ON `report_mails` (`tenant_id`,`team_id`) WHERE "report_mails"."team_id" is not null;