CREATE TABLE `checkouts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`response_id` text NOT NULL,
	`question_ids` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`session_id` text,
	`state` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`response_id`) REFERENCES `responses`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `checkouts_response` ON `checkouts` (`tenant_id`,`response_id`,`state`);--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_session` ON `checkouts` (`session_id`);