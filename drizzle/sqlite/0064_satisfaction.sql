CREATE TABLE `form_requests` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`form_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `form_requests_form` ON `form_requests` (`tenant_id`,`form_id`);--> statement-breakpoint
CREATE TABLE `satisfaction_forms` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`form_id` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_responses` (
	`tenant_id` text NOT NULL,
	`response_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`satisfaction` integer,
	`rated_at` text,
	PRIMARY KEY(`tenant_id`, `response_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`response_id`) REFERENCES `responses`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`ticket_id`) REFERENCES `tickets`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_responses_ticket` ON `ticket_responses` (`tenant_id`,`ticket_id`,`response_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_responses_rating` ON `ticket_responses` (`tenant_id`,`ticket_id`) WHERE "ticket_responses"."satisfaction" is not null;--> statement-breakpoint
CREATE INDEX `ticket_responses_rated` ON `ticket_responses` (`tenant_id`,`rated_at`) WHERE "ticket_responses"."rated_at" is not null;