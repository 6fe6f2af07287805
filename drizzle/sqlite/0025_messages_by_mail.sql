DROP INDEX `messages_mail`;--> statement-breakpoint
CREATE INDEX `messages_mail` ON `messages` (`tenant_id`,`mail_id`);