CREATE TABLE `answered_senders` (
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`answered_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `message_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `answered_senders_address` ON `answered_senders` (`tenant_id`,`inbox_id`,`address`,`kind`,`answered_at`);--> statement-breakpoint
CREATE TABLE `inbox_answers` (
	`tenant_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`acknowledges` integer NOT NULL,
	`acknowledgement` text NOT NULL,
	`answers_out_of_hours` integer NOT NULL,
	`out_of_hours` text NOT NULL,
	`hours` text,
	PRIMARY KEY(`tenant_id`, `inbox_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
