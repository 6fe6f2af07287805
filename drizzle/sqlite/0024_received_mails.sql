CREATE TABLE `received_mails` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`mail_id` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`message_id` text,
	`from_address` text,
	`subject` text,
	`automatic_from` text,
	`authentication` text,
	`envelope` text,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`kept_in` text,
	`content` text,
	`received_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`message_id`) REFERENCES `messages`(`tenant_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `received_mails_mail` ON `received_mails` (`tenant_id`,`inbox_id`,`mail_id`);--> statement-breakpoint
CREATE INDEX `received_mails_message` ON `received_mails` (`tenant_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `received_mails_kept` ON `received_mails` (`received_at`) WHERE kept_in IS NOT NULL;--> statement-breakpoint
CREATE INDEX `received_mails_quarantined` ON `received_mails` (`tenant_id`,`id`) WHERE outcome = 'quarantined';--> statement-breakpoint
CREATE INDEX `received_mails_automatic` ON `received_mails` (`tenant_id`,`inbox_id`,`from_address`,`received_at`) WHERE automatic_from IS NOT NULL;