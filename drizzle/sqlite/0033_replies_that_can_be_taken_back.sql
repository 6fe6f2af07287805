CREATE TABLE `pending_replies` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`due_at` text,
	`closes_ticket` integer NOT NULL,
	`address` text,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pending_replies_due` ON `pending_replies` (`due_at`) WHERE "pending_replies"."due_at" is not null;