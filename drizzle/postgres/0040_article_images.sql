CREATE TABLE "article_image_uses" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"holder_id" text COLLATE "C" NOT NULL,
	"image_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "article_image_uses_tenant_id_source_id_holder_id_image_id_pk" PRIMARY KEY("tenant_id","source_id","holder_id","image_id")
);

--> statement-breakpoint
CREATE TABLE "article_images" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"content_type" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"unused_since" text COLLATE "C",
	CONSTRAINT "article_images_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "article_image_uses" ADD CONSTRAINT "article_image_uses_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_image_uses" ADD CONSTRAINT "article_image_uses_tenant_id_image_id_article_images_tenant_id_id_fk" FOREIGN KEY ("tenant_id","image_id") REFERENCES "public"."article_images"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_images" ADD CONSTRAINT "article_images_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_images" ADD CONSTRAINT "article_images_tenant_id_source_id_livechat_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."livechat_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "article_image_uses_image" ON "article_image_uses" USING btree ("tenant_id","image_id");
--> statement-breakpoint
CREATE INDEX "article_images_unused" ON "article_images" USING btree ("unused_since") WHERE unused_since IS NOT NULL;
