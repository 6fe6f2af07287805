CREATE TABLE `mailboxes` (
	`tenant_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`revision` text NOT NULL,
	`imap` text NOT NULL,
	`smtp` text NOT NULL,
	`provider` text,
	`sealed_secret` text NOT NULL,
	`sealed_access` text,
	`access_until` text,
	`uid_validity` integer NOT NULL,
	`last_uid` integer NOT NULL,
	`oldest_at` text,
	`last_mail_at` text NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`detail` text,
	`since` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `inbox_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`inbox_id`) REFERENCES `inboxes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mailboxes_failing` ON `mailboxes` (`tenant_id`,`inbox_id`) WHERE state = 'failing';