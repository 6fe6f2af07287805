CREATE TABLE `response_segments` (
	`tenant_id` text NOT NULL,
	`form_id` text NOT NULL,
	`number` integer NOT NULL,
	`through_at` text NOT NULL,
	`through_id` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `form_id`, `number`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`form_id`) REFERENCES `forms`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP INDEX `responses_contact`;--> statement-breakpoint
CREATE INDEX `responses_contact` ON `responses` (`tenant_id`,`contact_id`,`id`,`form_id`) WHERE "responses"."contact_id" is not null;